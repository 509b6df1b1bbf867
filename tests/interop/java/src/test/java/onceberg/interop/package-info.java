/**
 * What happens to the real Java client when answers get lost, when the server plans its scans, and
 * when it has to log in.
 *
 * <p>Most tests here put a {@link onceberg.interop.LossyProxy} between Apache's {@code RESTCatalog}
 * and the server under test, let the proxy spoil an exchange or only watch, and then ask two things:
 * what the client made of it, and what is left in the catalog and in the table's files. {@link
 * onceberg.interop.Subject} says which server that is; the tests hold for any server that keeps the
 * promise of the {@code Idempotency-Key} header.
 */
package onceberg.interop;
