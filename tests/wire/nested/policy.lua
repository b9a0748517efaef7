return { rules = {
  { deny = "it is for nobody", tool = "denied" },
  { allow = true },
} }
