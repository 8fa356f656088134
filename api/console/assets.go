package console

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

// asset is one file that pages need.
type asset struct {
	media string
	raw   []byte
}

// Names of the assets.
const (
	styleFile  = "console.css"
	scriptFile = "console.js"
	iconFile   = "icon.svg"
)

// loadAssets reads the assets by their paths.
func loadAssets() (map[string]asset, error) {
	out := map[string]asset{}
	for name, media := range map[string]string{
		styleFile: "text/css; charset=utf-8", scriptFile: "text/javascript; charset=utf-8", iconFile: "image/svg+xml",
	} {
		raw, err := assetFiles.ReadFile("assets/" + name)
		if err != nil {
			return nil, fmt.Errorf("read an asset: %w", err)
		}
		out[assetPath(name)] = asset{media: media, raw: raw}
	}
	return out, nil
}

// assetPath is the path of an asset: a digest of its contents, and its name.
func assetPath(name string) string {
	raw, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return Path + "/assets/" + hex.EncodeToString(sum[:6]) + "-" + name
}

func (a asset) serve(c *gin.Context) {
	c.Header("Cache-Control", assetCache)
	c.Data(http.StatusOK, a.media, a.raw)
}
