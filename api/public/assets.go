package public

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
)

//go:embed assets/*
var assetFiles embed.FS

// assetCache lets assets be kept for ever: their paths change with their contents.
const assetCache = "public, max-age=31536000, immutable"

// assetMedia are the assets of pages with their media types.
func assetMedia() map[string]string {
	return map[string]string{"page.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml"}
}

// assetPath is the path of an asset: /assets/, a digest of its contents, and its name. An asset that is not there has
// no path.
func assetPath(name string) string {
	raw, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return "/assets/" + hex.EncodeToString(sum[:6]) + "-" + name
}

func mountAssets(router gin.IRoutes) error {
	for name, media := range assetMedia() {
		raw, err := assetFiles.ReadFile("assets/" + name)
		if err != nil {
			return fmt.Errorf("read an asset of pages: %w", err)
		}
		handler := func(c *gin.Context) { send(c, http.StatusOK, media, assetCache, raw) }
		router.GET(assetPath(name), handler)
		router.HEAD(assetPath(name), handler)
	}
	return nil
}
