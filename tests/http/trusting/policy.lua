--- For tests of what tokens are good for: their subjects may do all.
return { rules = { { allow = true } } }
