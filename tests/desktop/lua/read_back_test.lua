--- Typed text is compared with the content of its field: on the desktops whose elements are always the same. The text that
--- "arrives" is put there by an action of the element, so that it may be any.
local element  = require "sys.element"
local input    = require "sys.input"
local readback = require "desktop.read_back"
local sending  = require "desktop.sending"
local t        = require "check"
local world    = require "world"

local settings = require("settings").open()
if not settings then return end

local function find(role)
  for _, node in ipairs(assert(element.tree { pid = settings.pid }).nodes) do
    if node.role == role then return node.id end
  end
end

local ENTRY = find "entry"

local function hold(text) assert(element.act(ENTRY, { verb = "set_text", text = text })) end

local function focus(id) assert(element.act(id, { verb = "focus" })) end

--- The comparison of a text that was typed into a field with `first`, if the field has `then_` afterwards.
local function compared(first, text, then_)
  focus(ENTRY)
  hold(first)
  readback.forget()
  local field = assert(readback.before())
  hold(then_)
  return readback.after(field, text, true)
end

local LONG = ("a long text before it, "):rep(4)

--- The text before, the typed text, the text after it, and the verdict: true, the different text, or a table.
local CASES = {
  { "", "abc", "abc", true },
  { "x", "abc", "xabc", true },
  { "x\u{1F600}", "é世\u{1F600}", "x\u{1F600}é世\u{1F600}", true },
  { LONG, "abc", LONG .. "abc", true },
  { "x", "a\rb", "xa\nb", true },
  { "x", "a\u{200F}b\u{FEFF}", "xa\u{200F}b\u{FEFF}", true },
  { "x", "abc", "xab", "ab" },
  { "x", "abc", "xABC", "ABC" },
  { "x", "abc", "x", "" },
  { "x", "abc", "xabcabc", "abcabc" },
  { "x", "(", "x()", "()" },
  { "x", "abc", "Xabc", "Xabc" },
  { LONG, "abc", LONG:upper() .. "abc", LONG:upper():sub(-24) .. "abc" },
  { "", ("é"):rep(300), ("è"):rep(300), ("è"):rep(200) .. "..." },
  { "x", "sent\n", "xsent", { arrived = true, keys = true } },
  { "x", "sent\n", "", { keys = true } },
}

for i, case in ipairs(CASES) do
  t.case(("a text that was typed, case %d"):format(i), function()
    local first, text, then_, verdict = table.unpack(case)
    local wanted = verdict == true and { arrived = true } or type(verdict) == "string" and { arrived = false, seen = verdict }
      or verdict
    -- on a Mac no application confirms that it has taken its keys, so the text may still come
    if wanted.arrived == false and world.is_sim then wanted = { late = true } end
    t.same(compared(first, text, then_), wanted)
  end)
end

t.case("a field that loses the keyboard is not called different", function()
  focus(ENTRY)
  hold "x"
  readback.forget()
  local field = assert(readback.before())
  focus(find "checkbox")
  t.same(readback.after(field, "abc", true), { lost = true })
  hold "xabc"
  t.same(readback.after(field, "abc", true), { arrived = true })
end)

t.case("a password is neither read nor called different, nor what is no field", function()
  for _, role in ipairs { "password", "checkbox" } do
    focus(find(role))
    readback.forget()
    t.same({ readback.before() }, {})
    t.same({ readback.before() }, {}, "again")
  end
end)

t.case("text that is sent is read back, the second one without a search", function()
  focus(ENTRY)
  hold "x"
  readback.forget()
  for _, text in ipairs { "one", "twö" } do
    local told = sending.send({ action = "type", text = text }, { kind = "text", text = text })
    t.same(told, { arrived = true })
  end
  t.same(element.text(ENTRY).text, "xonetwö")
  hold "changed by another"
  t.same(sending.send({ action = "type", text = "!" }, { kind = "text", text = "!" }), { arrived = true })
  t.same(sending.send({ action = "type", text = "?", secret = true }, { kind = "text", text = "?" }), nil)
end)

t.case("a desktop whose applications confirm no input says so", function()
  local settled, _, code = input.settle(0.1)
  if world.is_sim then t.same({ settled, code }, { nil, "not_supported" }) else t.same(settled, true) end
end)

t.done()
