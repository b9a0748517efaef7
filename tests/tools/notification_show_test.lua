---@type ToolExample[]
return {
  { "without a body", given = { ["sys.notify.show"] = { id = "1", ignored = {} } }, args = { title = "Build" },
    want = { accepted = true, id = "1", note = nil }, did = { "notify.show title=Build" } },
  { "a character that no service takes", args = { title = "a\0b" },
    err = "the character 0", code = "INVALID_ARGUMENT", did = {} },
  { "in the body, too", args = { title = "a", body = "\0" }, err = "the character 0", code = "INVALID_ARGUMENT", did = {} },
  { "no title", args = { title = "" }, err = "title" },
  { "more than the service of any desktop takes", args = { title = ("x"):rep(251) }, err = "title" },
}
