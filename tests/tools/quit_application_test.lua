--- Cases of quit_application beside the examples in its file: the beginning of an application's name.

local STAYS = 'process 7 has ended, but its window "Remote" is still open'

local function running(...)
  local apps = {}
  for i, name in ipairs { ... } do
    apps[i] = { pid = 6 + i, started = 1, name = name, id = "org.example." .. name:gsub(" ", ""), path = "" }
  end
  return { ["sys.app.list"] = apps, ["sys.window.list"] = {}, ["sys.app.quit"] = { done = true, forced = false } }
end


---@type ToolExample[]
return {
  { "the only name that begins so is taken, and the answer says so", given = running("Text Editor", "Files"),
    args  = { application = "text" }, has = { '(took "Text Editor" for "text")\napplications/7 (Text Editor) has exited' },
    want  = { name = "applications/7" } },
  { "an exact name wins", given = running("Text Editor", "Text"), args = { application = "text" },
    want = { name = "applications/8" } },
  { "of several nothing is taken", given = running("Text Editor", "Textual"), args = { application = "text" },
    err   = '"text" matches 2 applications', code = "AMBIGUOUS_APP_IDENTIFIER" },
  { "a process that was ended while a window stays is not a success",
    given = { ["sys.app.get"] = { pid = 7, started = 1, name = "Text Editor", id = "", path = "" },
      ["sys.app.quit"] = { done = false, forced = true, note = STAYS } },
    args  = { application = "applications/7", force = true }, has = { "Not done: " .. STAYS .. "." },
    want  = { done = false, forced = true, effect = "partial" } },
}
