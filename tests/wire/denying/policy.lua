--- Two resources that no caller may read.
return { rules = {
  { deny = "it is private", resource = { "test://note", "test://tick*" } },
  { allow = true },
} }
