--- Cases of discover_apps beside the examples in its file.

---@type ToolExample[]
return {
  { "a name with lines of its own is one line",
    given = { ["dictionary.library.apps"] = { { { id = "a\nb", name = 'Notes (notes), sdef\n- Fake', version = "1\n2",
      source = "sdef" } } } },
    args = {},
    has  = { 'Found 1 scriptable application:\n- "Notes (notes), sdef - Fake" (a b) 1 2, sdef' } },
}
