package keeping

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

// The limits of a request to the keeper.
const (
	requestLimit  = 30 * time.Second // resuming a session starts a client
	responseLimit = 16 << 20         // bytes
)

// call sends a request to the keeper, and decodes the response into value. For a refused request, the error is
// an *out.Failure whose Cause is a *refused.
func call(ctx context.Context, env *place.Env, method, path string, in, value any) error {
	r := Find(ctx, env)
	if r == nil {
		return noKeeper()
	}
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, r.URL()+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+r.token(tokenFile))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without a proxy
	response, err := client.Do(request)
	if err != nil {
		return &out.Failure{What: "The keeper (process " + strconv.Itoa(r.PID) + ") doesn't answer: " + out.Reason(err) + ".", Cause: err}
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, responseLimit))
	if err != nil {
		return err
	}
	if response.StatusCode < http.StatusBadRequest {
		return json.Unmarshal(text, value)
	}
	f := &refused{status: response.StatusCode}
	if json.Unmarshal(text, &f.Failure) != nil || f.Failure.Error == "" {
		f.Failure.Error = "The keeper answered " + response.Status + "."
	}
	failure := &out.Failure{What: f.Failure.Error, Cause: f}
	if f.status == http.StatusNotFound {
		failure.Code = out.ExitNone
	}
	return failure
}

// refused is the keeper's response to a refused request.
type refused struct {
	status int
	api.Failure
}

// Error implements error.
func (r *refused) Error() string { return fmt.Sprintf("status %d: %s", r.status, r.Failure.Error) }
