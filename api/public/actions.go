package public

import (
	"net/http"
	"strings"
)

const (
	// OpenAPIPath is where the document for hosts of Actions is.
	OpenAPIPath = "/openapi.json"
	// actionsPath is what Actions has for itself; actionsRoute is what the access log calls it.
	actionsPath  = "/actions"
	actionsRoute = actionsPath + "/v1/{operation}"
)

// underActions takes everything below /actions out before the router looks at it: the router would tell those who are
// not authenticated which methods and paths there are.
func underActions(actions, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != actionsPath && !strings.HasPrefix(r.URL.Path, actionsPath+"/") {
			next.ServeHTTP(w, r)
			return
		}
		if route, ok := r.Context().Value(routeKey{}).(*string); ok {
			*route = actionsRoute
		}
		actions.ServeHTTP(w, r)
	})
}
