--- For tests of other things: everybody may do all.
return { rules = { { allow = true } } }
