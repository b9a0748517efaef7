local app = require "sys.app"

--- list
for _, each in ipairs(assert(app.list())) do
  print(each.name, each.id, each.windows)   --> Text Editor	org.perigee.TextEditor	2
end
--> ...

--- installed
for _, each in ipairs(assert(app.installed())) do
  if each.pid == 0 then print(each.name) end   --> Calculator
end
--> Daemon
--> ...

--- get
local editor = assert(app.list())[1]
print(assert(app.get(editor)).name)                               --> Text Editor
print(select(3, app.get { pid = editor.pid, started = 1 }))       --> app_not_found

--- find
print(assert(app.find "text editor").id)                --> org.perigee.TextEditor
print(select(3, app.find "Kalkulator"))                 --> app_not_found

--- open
local opened = assert(app.open { name = "Calculator" })
print(opened.app.name, opened.already, opened.window ~= nil)   --> Calculator	false	true

local nothing, err, code = app.open { name = "Kalkulator" }
print(nothing, code)                                           --> nil	app_not_found

--- activate
for _, each in ipairs(assert(app.list())) do
  if each.name == "Calculator" then print(assert(app.activate(each)).done) end   --> true
end

--- hide
local editor = assert(app.open { name = "Text Editor" }).app
print(assert(app.hide(editor)).done)   --> true

--- show
local editor = assert(app.open { name = "Text Editor" }).app
print(assert(app.show(editor)).done)   --> true

--- quit
for _, each in ipairs(assert(app.list())) do
  if each.name == "Calculator" then print(assert(app.quit(each)).done) end   --> true
end

--- open_url
print(app.open_url "example.com")
--> nil	the text is not a URL. Begin it with a scheme, for example https://	not_a_url

--- events
local opened = assert(app.events { what = "opened" })
assert(app.open { name = "Settings" })
print(assert(opened:next(5)).app.name)   --> Settings
opened:close()
