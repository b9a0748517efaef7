--- Cases of run_lua beside the examples in its file.

---@type ToolExample[]
return {
  { "fails where the returned value has a NaN, and names the path",
    given = { ["sys.engine.run_lua"] =
                { n = 4, false, "the returned value: .a[1]: NaN cannot be written as JSON", "not_json", "one\n" } },
    args  = { code = "print 'one' return {a = {0/0}}" },
    err   = "the returned value: .a[1]: NaN cannot be written as JSON\n--- printed before the failure:\none\n",
    code  = "not_json" },
}
