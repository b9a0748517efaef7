#!/usr/bin/env tests/lua/run
--- applescript.check: the structure of scripts, in every encoding and at any size.
local check    = require "applescript.check"
local encoding = require "applescript.encoding"
local fs       = require "sys.fs"
local t        = require "check"
local time     = require "sys.time"

local SCRIPTS = "lua/scripts/keynote/"

local SOUND = {
  'set x to "a \\" b"', 'tell app "X" to quit', "if a then b", "if a\nb\nend if", "if a then\nelse if b then\nend",
  "(* a (* b *) c *)\nbeep", "-- \" '\nbeep # \"", "tell x to tell y\nend tell", "on f(a)\nend f", "to g()\nend",
  "repeat\nexit repeat\nend repeat", "try\non error m number n\nend try", 'set x to "two\nlines"\nbeep',
  "with timeout of 5 seconds\nend timeout", "set |end if| to 1", "script s\nend script", "set x to ¬\n  5",
  "tell x to if y then\nend if", "set x to {1, ¬ -- two\n 2}", "using terms from application \"X\"\non f()\nend f\nend using terms from",
  "on adding folder items to f after receiving l\nend adding folder items to", "set x to «class abcd» of «data utxt00E4»",
  "considering case but ignoring white space\nend considering", "try\non error\nend error", "TELL x\nEND TELL",
  "tell items 1 to 3 of x\nbeep\nend tell", "tell window 1 to close", "set end of l to 3\nend of l", "if x then tell y to z",
  "on doThis:x withThat:y\nend doThis:withThat:", "#!/usr/bin/osascript\nbeep", "on |my f|()\nend |my f|", "", "on f()\nend g",
  "\n\n", "-- only",
  "script\nproperty parent : class \"NSObject\"\nend script", "set x to a's b's c",
  "repeat 3 times\nrepeat with i in {1}\nend\nend repeat",
  "tell current application's NSWorkspace to x()", "tell paragraphs from 1 to n of x\nend tell", "set x to 1 -- (\nset y to 2 # {",
  "with transaction\nend transaction",
  "try\non error (m)\nend try", "try\nif x then\nend\non error (m) number n\nend",
  "ignoring application responses\nend ignoring", "set x to 1≠2 and 3≤4\u{A0}or 5≥6",
}

-- Text, line, column, code.
local UNSOUND = {
  { 'beep\nset x to "abc', 2, 10, "open_string" }, { "beep\n (* open (* *)", 2, 2, "open_comment" },
  { "if a then\nend repeat\nend if", 2, 1, "wrong_end" }, { "tell x\nbeep", 1, 1, "open_block" }, { "beep\nend\nbeep", 2, 1, "stray_end" },
  { "beep\nend if", 2, 1, "stray_end" },
  { "else", 1, 1, "stray_else" }, { "repeat\nelse\nend", 2, 1, "stray_else" }, { "on error", 1, 1, "stray_on_error" },
  { "exit repeat", 1, 1, "stray_exit" }, { "repeat\nscript s\non f()\nexit repeat\nend\nend\nend", 4, 1, "stray_exit" },
  { "set x to {1, (2}", 1, 16, "unbalanced" }, { "set x to 5)", 1, 11, "unbalanced" }, { "set x to (5", 1, 10, "unbalanced" },
  { "repeat\nif a then exit repeat\nend if", 3, 1, "wrong_end" }, { "on f()\nend if", 2, 1, "wrong_end" },
  { "set |x to 1", 1, 5, "open_name" }, { "set x to «class ab", 1, 10, "open_data" },
  { "on run\ntell x\nif y then\nend tell\nend run", 3, 1, "open_block" }, { "äöü (", 1, 5, "unbalanced" },
  { "try\nif x then\non error\nend if\nend try", 3, 1, "stray_on_error" }, { "a\rb\r\nc\u{2028}d)", 4, 2, "unbalanced" },
}


local function codes_of(report)
  local list = {}
  for i, finding in ipairs(report.findings) do list[i] = finding.code end
  return list
end


local function utf16(text, big, mark)
  local parts = { mark and (big and "\xFE\xFF" or "\xFF\xFE") or "" }
  for _, code in utf8.codes(text) do
    local units = code < 0x10000 and { code } or { 0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code - 0x10000 & 0x3FF) }
    for _, unit in ipairs(units) do parts[#parts + 1] = (big and ">I2" or "<I2"):pack(unit) end
  end
  return table.concat(parts)
end


t.case("sound scripts pass", function()
  for _, text in ipairs(SOUND) do
    local report = check.run(text)
    t.same(codes_of(report), {}, text)
    t.same(report.checked, { "structure" }, text)
  end
end)

t.case("a fault is reported with its place and code", function()
  for _, row in ipairs(UNSOUND) do
    local finding = check.run(row[1]).findings[1]
    t.ok(finding, row[1])
    t.same({ finding.line, finding.column, finding.code, finding.severity }, { row[2], row[3], row[4], "error" }, row[1])
  end
end)

t.case("one missing end is one finding", function()
  t.same(codes_of(check.run "on run\ntell a\nif b then\nrepeat\nend repeat\nend tell\nend run\non f()\nend f"), { "open_block" })
  t.same(codes_of(check.run 'tell a\nset x to "\nend tell'), { "open_string" })
end)

t.case("a bare end after everything is a warning, for scripts in use have one", function()
  for _, text in ipairs { "beep\nend", "tell x\nend\nend\nend\n" } do
    local findings = check.run(text).findings
    t.ok(#findings > 0)
    for _, finding in ipairs(findings) do t.same({ finding.code, finding.severity }, { "stray_end", "warning" }, text) end
  end
end)

t.case("an open string names the one that goes over lines before it", function()
  local finding = check.run('set a to "x\nset b to "y"\nset c to "z"\n').findings[1]
  t.same(finding.code, "open_string")
  t.has(finding.message, "begins in line 1")
end)

t.case("the project's scripts pass", function()
  for _, entry in ipairs(t.ok(fs.list(SCRIPTS))) do
    if entry.name:find "%.applescript$" then
      t.same(codes_of(check.run(t.ok(fs.read(SCRIPTS .. entry.name)))), {}, entry.name)
    end
  end
end)

t.case("every encoding gives the same findings", function()
  local text = 'set x to "äö€" & ¬\n  «class abcd»\nset y to (1'
  local mac = 'set x to "\x8A\x9A\xDB" & \xC2\n  \xC7class abcd\xC8\nset y to (1'
  for how, bytes in pairs {
    ["UTF-8"] = text, ["UTF-8 "] = "\xEF\xBB\xBF" .. text, ["UTF-16"] = utf16(text, false, true), ["UTF-16 "] = utf16(text, true, true),
    ["UTF-16  "] = utf16(text, false), ["UTF-16   "] = utf16(text, true), MacRoman = mac,
  } do
    local report = check.run(bytes)
    t.same(report.encoding, (how:gsub(" ", "")))
    t.same(#report.findings, 1, how)
    t.same({ report.findings[1].line, report.findings[1].column, report.findings[1].code }, { 3, 10, "unbalanced" }, how)
  end
  t.same(encoding.read(mac), text)
  t.same(encoding.read(utf16("a\u{1F600}b", true, true)), "a\u{1F600}b")
end)

t.case("bytes that are not a script's text are refused, with a code", function()
  t.same(codes_of(check.run "\xFF\xFEa"), { "encoding" })
  t.same(codes_of(check.run "\xFF\xFE\x00\xD8a\0"), { "encoding" })
  t.same(codes_of(check.run "\xEF\xBB\xBF\xFF"), { "encoding" })
  t.same(codes_of(check.run("beep \0 beep" .. ("x"):rep(50))), { "encoding" })
  t.same(codes_of(check.run "FasdUAS 1.101.10\14\0\0"), { "compiled" })
  t.same(codes_of(check.run(("x\n"):rep(check.MAX_BYTES))), { "too_large" })
end)

t.case("nesting without end and endless findings are cut, and the report says so", function()
  for _, text in ipairs { ("("):rep(2000), ("tell x\n"):rep(2000), ("1,"):rep(60000) } do
    local report = check.run(text)
    local codes = codes_of(report)
    t.same(codes[#codes], "limit", text:sub(1, 20))
  end
  local report = check.run(("end if\n"):rep(150))
  t.same({ #report.findings, report.more }, { 100, 50 })
end)

t.case("a script of 1 MB is read in a few seconds", function()
  local part = t.ok(fs.read(SCRIPTS .. "open_keynote.applescript"))
  local text = part:rep(1024 * 1024 // #part)
  local start = time.monotonic()
  t.same(codes_of(check.run(text)), {})
  local took = time.monotonic() - start
  t.note(("%d bytes in %.2f s"):format(#text, took))
  t.ok(took < 60, "it took " .. took)
end)

t.case("text that invites quadratic work takes no longer than its length says", function()
  local start = time.monotonic()
  for _, text in ipairs { ("(*"):rep(200000), ('"\n'):rep(100000), ("tell x to "):rep(4000), ("if x then "):rep(4000), ("¬\n"):rep(100000),
                          ("|"):rep(100000), ("«"):rep(50000), ("a's "):rep(20000), ("äöü "):rep(50000) } do
    check.run(text)
  end
  t.ok(time.monotonic() - start < 60)
end)

t.case("scripts cut and mixed anywhere never break it", function()
  local part = t.ok(fs.read(SCRIPTS .. "add_text_in_keynote.applescript"))
  local seed = 20240711
  local function random(n)
    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    return (seed >> 8) % n + 1
  end
  for _ = 1, 150 do
    local from = random(#part)
    local text = part:sub(from, from + random(1500))
    for _ = 1, random(4) do
      local at = random(#text + 1)
      local signs = { '"', "(", "}", "|", "«", "¬", "\xC2", "\xE2\x80", "end\n", "tell ", "(*", "\0", "\r", "\\" }
      text = text:sub(1, at - 1) .. signs[random(#signs)] .. text:sub(at)
    end
    local report = check.run(text)
    for _, finding in ipairs(report.findings) do t.ok(finding.line >= 1 and finding.column >= 1 and #finding.message > 0, text) end
  end
end)

t.done()
