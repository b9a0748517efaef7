local xml = require "sys.xml"

--- read
local names = {}
assert(xml.read("<list><item/><item/></list>", {
  open = function(name) names[#names + 1] = name end,
  close = function() end,
}))
print(table.concat(names, " "))   --> list item item
print(xml.read("<list>", { open = print, close = print }))
--> nil	line 1, column 7: no element found	malformed

--- parse
local root = assert(xml.parse '<list><item id="1">One &amp; two</item></list>')
print(root.children[1].attributes.id, root.children[1].children[1])   --> 1	One & two
