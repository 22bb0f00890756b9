package resume

// Prices are prices of models from the user's config.
type Prices struct {
	Date   string           // date of the prices, like 2026-11-21; "" without prices
	Models map[string]Price // by full name or family, such as opus
}

// Price has the prices of one model in USD per million tokens.
type Price struct {
	Input     float64 `json:"input"`
	CacheRead float64 `json:"cacheRead"`
}

// ReadAgain returns the price in USD of sending tokens to a model again: as input, or as a read of the prompt cache. ok
// is false if the model has no price.
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
