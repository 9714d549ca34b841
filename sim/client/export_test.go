package client

// SetTopology has nodes tell clients something else.
func (c *Client) SetTopology(t Topology) { c.topology = t }
