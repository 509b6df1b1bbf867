"""Logging in: with a secret, with a token, by an identity provider; and being told no."""

import os
from collections.abc import Callable

import pytest
from conftest import PEOPLE, named, people
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import ForbiddenError, NoSuchTableError, OAuthError, UnauthorizedError


def secret(name: str) -> str:
    return os.environ["ONCEBERG_TEST_" + name]


@pytest.fixture
def catalog(connect: Callable[..., RestCatalog]) -> RestCatalog:
    """Who makes and drops the namespaces here."""
    return connect(credential=secret("ALICE_CREDENTIAL"))


def use(catalog: RestCatalog, namespace: str) -> None:
    table = catalog.create_table((namespace, "t"), PEOPLE)
    table.append(people((1, "Ada")))
    assert named(catalog.load_table((namespace, "t")).scan().to_arrow()) == {1: "Ada"}


def test_a_credential(catalog: RestCatalog, namespace: str) -> None:
    use(catalog, namespace)


def test_a_credential_with_a_scope(connect: Callable[..., RestCatalog], namespace: str) -> None:
    endpoint = os.environ["ONCEBERG_TEST_URL"] + "/v1/oauth/tokens"
    named_too = {"scope": "lake:all", "oauth2-server-uri": endpoint}
    use(connect(credential=secret("ALICE_CREDENTIAL"), **named_too), namespace)


def test_the_newer_manager(connect: Callable[..., RestCatalog], namespace: str) -> None:
    """It authenticates by HTTP Basic, and goes by how long the token is valid."""
    client_id, client_secret = secret("ALICE_CREDENTIAL").split(":")
    oauth2 = {
        "client_id": client_id,
        "client_secret": client_secret,
        "token_url": os.environ["ONCEBERG_TEST_URL"] + "/v1/oauth/tokens",
        "scope": "catalog",
    }
    use(connect(auth={"type": "oauth2", "oauth2": oauth2}), namespace)  # type: ignore[arg-type]


def test_a_token(connect: Callable[..., RestCatalog], namespace: str) -> None:
    use(connect(token=secret("ALICE_TOKEN")), namespace)


def test_a_token_that_has_ended_is_renewed(catalog: RestCatalog, namespace: str) -> None:
    """The client takes a 401 for the end of its token, gets another and asks again."""
    manager = catalog._session.auth.auth_manager  # type: ignore[union-attr]
    manager._token = "ended"
    use(catalog, namespace)
    assert manager._token != "ended"


def test_a_wrong_secret(connect: Callable[..., RestCatalog]) -> None:
    client_id = secret("ALICE_CREDENTIAL").split(":")[0]
    with pytest.raises(OAuthError, match="invalid_client: .*secret is wrong"):
        connect(credential=client_id + ":guessed")


def test_a_wrong_token(connect: Callable[..., RestCatalog]) -> None:
    with pytest.raises(UnauthorizedError, match="token is not valid"):
        connect(token="guessed")


def test_what_is_forbidden(
    connect: Callable[..., RestCatalog], catalog: RestCatalog, namespace: str
) -> None:
    catalog.create_table((namespace, "open_t"), PEOPLE).append(people((1, "Ada")))
    catalog.create_table((namespace, "closed_t"), PEOPLE)
    bob = connect(credential=secret("BOB_CREDENTIAL"))
    assert set(bob.list_tables(namespace)) == {(namespace, "open_t"), (namespace, "closed_t")}
    table = bob.load_table((namespace, "open_t"))
    assert named(table.scan().to_arrow()) == {1: "Ada"}
    for forbidden in (
        lambda: table.append(people((2, "Grace"))),
        lambda: bob.load_table((namespace, "closed_t")),
        lambda: bob.load_table((namespace, "closed_and_not_there")),
        lambda: bob.table_exists((namespace, "closed_t")),
        lambda: bob.create_table((namespace, "shared_t"), PEOPLE),
        lambda: bob.drop_table((namespace, "open_t")),
        lambda: bob.rename_table((namespace, "open_t"), (namespace, "u")),
        lambda: bob.create_namespace(namespace + "_other"),
        lambda: bob.drop_namespace(namespace),
    ):
        with pytest.raises(ForbiddenError):
            forbidden()
    assert named(catalog.load_table((namespace, "open_t")).scan().to_arrow()) == {1: "Ada"}
    with pytest.raises(NoSuchTableError):
        catalog.load_table((namespace, "closed_and_not_there"))


def test_an_identity_provider(connect: Callable[..., RestCatalog]) -> None:
    server = {"uri": secret("OPENID_URI")}
    alice = connect(
        credential=secret("ALICE_CREDENTIAL"),
        **{"oauth2-server-uri": secret("OPENID_TOKEN_URI")},
        **server,
    )
    alice.create_namespace("py_openid")
    use(alice, "py_openid")
    use_again = connect(token=secret("ALICE_OPENID"), **server)
    assert use_again.list_tables("py_openid") == [("py_openid", "t")]
    with pytest.raises(ForbiddenError):
        connect(token=secret("BOB_OPENID"), **server).drop_table(("py_openid", "t"))
    with pytest.raises(UnauthorizedError, match="expired"):
        connect(token=secret("EXPIRED_OPENID"), **server)
