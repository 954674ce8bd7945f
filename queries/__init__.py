"""The counting views, one relation a file, and the connection that holds them."""
