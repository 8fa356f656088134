package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/evidence"
)

// completer answers completion/complete: the IDs of objects that the caller may see, and the types that have a schema.
// Whatever else is asked for has no suggestions.
func (s *Server) completer(adapter string) func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	return func(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
		none := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
		if req.Params.Ref == nil || req.Params.Ref.Type != "ref/resource" {
			return none, nil
		}
		in := evidence.CompleteInput{Beginning: req.Params.Argument.Value}
		switch req.Params.Argument.Name {
		case "type":
			in.Kinds = []string{evidence.SchemaKind}
		case "cnt_id":
			in.Kinds = []string{"cnt"}
		case "id":
		default:
			return none, nil
		}
		var out evidence.CompleteOutput
		_, err := s.read(ctx, req, adapter, "complete", in, &out)
		if err != nil {
			if absent(err) {
				return none, nil
			}
			return nil, protocolError(err)
		}
		return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{
			Values: out.Values, HasMore: out.More, Total: total(&out),
		}}, nil
	}
}

// total is how many values there are, 0 where that is not known.
func total(out *evidence.CompleteOutput) int {
	if out.More {
		return 0
	}
	return len(out.Values)
}
