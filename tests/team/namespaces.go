package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/oapi-codegen/nullable"

	"github.com/onceberg/onceberg/runtime"

	"example.com/team/catalog-server/catalog"
)

// separator joins the levels of a namespace in paths.
const separator = "\x1f"

func (s *server) CreateNamespace(_ context.Context, request catalog.CreateNamespaceRequestObject) (catalog.CreateNamespaceResponseObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := *request.Body
	if wanted.Properties == nil {
		wanted.Properties = &map[string]string{}
	}
	id := strings.Join(wanted.Namespace, separator)
	if _, exists := s.namespaces[id]; exists {
		return nil, runtime.Errorf(http.StatusConflict, "AlreadyExistsException", "Namespace already exists: %s", dotted(id))
	}
	s.namespaces[id] = wanted
	return catalog.CreateNamespace200JSONResponse{Body: catalog.CreateNamespaceResponse{
		Namespace: wanted.Namespace, Properties: wanted.Properties,
	}}, nil
}

func (s *server) LoadNamespaceMetadata(_ context.Context, request catalog.LoadNamespaceMetadataRequestObject) (catalog.LoadNamespaceMetadataResponseObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, exists := s.namespaces[request.Namespace]
	if !exists {
		return nil, noSuchNamespace(request.Namespace)
	}
	return catalog.LoadNamespaceMetadata200JSONResponse{Body: catalog.GetNamespaceResponse{
		Namespace: found.Namespace, Properties: nullable.NewNullableWithValue(*found.Properties),
	}}, nil
}

func (s *server) ListNamespaces(context.Context, catalog.ListNamespacesRequestObject) (catalog.ListNamespacesResponseObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []catalog.Namespace{}
	for _, one := range s.namespaces {
		all = append(all, one.Namespace)
	}
	return catalog.ListNamespaces200JSONResponse{Body: catalog.ListNamespacesResponse{Namespaces: &all}}, nil
}

func (s *server) DropNamespace(_ context.Context, request catalog.DropNamespaceRequestObject) (catalog.DropNamespaceResponseObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, exists := s.namespaces[request.Namespace]; !exists {
		return nil, noSuchNamespace(request.Namespace)
	}
	delete(s.namespaces, request.Namespace)
	return catalog.DropNamespace204Response{}, nil
}

func noSuchNamespace(id string) error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchNamespaceException", "Namespace does not exist: %s", dotted(id))
}

// dotted is a namespace as messages have it.
func dotted(id string) string { return strings.ReplaceAll(id, separator, ".") }
