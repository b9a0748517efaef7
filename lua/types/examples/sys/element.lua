local app     = require "sys.app"
local element = require "sys.element"

--- module
-- The tools list_elements and click_element do more of the work (docs/elements.md).
local editor = assert(app.open { name = "Settings" }).app
for _, node in ipairs(assert(element.tree { pid = editor.pid }).nodes) do
  if node.role == "button" then
    print(node.name)   --> ...
    break
  end
end

--- tree
local settings = assert(app.open { name = "Settings" }).app
local tree = assert(element.tree { pid = settings.pid, bounds = true, values = true })
print(#tree.nodes > 10, tree.cut)   --> true	false

--- get
local settings = assert(app.open { name = "Settings" }).app
local tree = assert(element.tree { pid = settings.pid })
local again = assert(element.get { tree.nodes[1].id })[1]
print(again.id == tree.nodes[1].id, again.gone)   --> true	nil

--- act
local settings = assert(app.open { name = "Settings" }).app
for _, node in ipairs(assert(element.tree { pid = settings.pid }).nodes) do
  if node.role == "entry" and node.abilities.write then
    print(assert(element.act(node.id, { verb = "set_text", text = "Ada" })).agreed)   --> true
    print(assert(element.text(node.id)).text)                                         --> Ada
    break
  end
end

--- text
local settings = assert(app.open { name = "Settings" }).app
for _, node in ipairs(assert(element.tree { pid = settings.pid }).nodes) do
  if node.role == "entry" and node.abilities.read then
    local text = assert(element.text(node.id, { to = 2 }))
    print(#text.text <= 2, text.length >= #text.text)   --> true	true
    break
  end
end

--- field
local settings = assert(app.open { name = "Settings" }).app
for _, node in ipairs(assert(element.tree { pid = settings.pid }).nodes) do
  if node.role == "entry" and node.abilities.write then
    assert(element.act(node.id, { verb = "set_text", text = "Ada Lovelace" }))
    assert(element.act(node.id, { verb = "focus" }))
    break
  end
end
local field = assert(element.field { before = 8 })
print(field.finding, field.length, field.before)   --> found	12	Lovelace

--- at
local settings = assert(app.open { name = "Settings" })
local frame = assert(require "sys.window".get(settings.window)).content
local id = element.at(settings.app.pid, frame.x + frame.width / 2, frame.y + frame.height / 2)
print(math.type(id))   --> integer

--- changes
local seen = assert(element.changes { since = 0 })
seen = assert(element.changes { since = seen.next })
print(math.type(seen.next), seen.missed)   --> integer	0

--- events
local settings = assert(app.open { name = "Settings" }).app
local values = assert(element.events { what = "value", pid = settings.pid, role = "entry" })
for _, node in ipairs(assert(element.tree { pid = settings.pid }).nodes) do
  if node.role == "entry" and node.abilities.write then
    assert(element.act(node.id, { verb = "set_text", text = "Grace" }))
    break
  end
end
print(assert(values:next(5)).element.value)   --> Grace
values:close()
