package resume

// Prices has the prices of models from the config of the user.
type Prices struct {
	Date   string           // date of the prices, such as 2026-11-21; "" without prices
	Models map[string]Price // full name or family (such as opus) of a model → its price
}

// Price has the prices of one model in USD per million tokens.
type Price struct {
	Input     float64 `json:"input"`
	CacheRead float64 `json:"cacheRead"`
}

// ReadAgain returns the price in USD for sending tokens to a model again: read from the prompt cache if cached is
// true, otherwise as input. ok is false for an unknown price.
func (p *Prices) ReadAgain(model, family string, tokens int64, cached bool) (usd float64, ok bool) {
	price, ok := p.Models[model]
	if !ok {
		price, ok = p.Models[family]
	}
	if cached {
		return price.CacheRead * float64(tokens) / 1e6, ok
	}
	return price.Input * float64(tokens) / 1e6, ok
}
