--- Cases of list_displays beside the example in its file.

---@type ToolExample[]
return {
  { "says what to do without a display",
    given = { ["sys.display.list"] = { n = 3, false, "no X display: DISPLAY is not set", "no_display" },
              ["sys.engine.launcher"] = "claude-ai" },
    args  = {},
    err   = "no X display: DISPLAY is not set. Claude Desktop did not pass DISPLAY on. Run `perigee install claude-desktop`",
    code  = "NO_DISPLAY" },
}
