-- The floor of tests/lib/pace.py: cuts 100 kB of text into tags and attributes by patterns, so many times, and keeps them.
-- Called: pace.lua TIMES.
local LINE = [[<command name="do %d" code="aaaa%04d" description="Does the thing of this number with a document.">
<direct-parameter type="document" description="the document, or several of them"/>
<parameter name="with options" code="opts" type="record" optional="yes" description="how it is done"/></command>
]]

local lines = {}
for number = 1, 350 do
  lines[number] = LINE:format(number, number)
end
local text = table.concat(lines):sub(1, 100000)

for _ = 1, tonumber((...)) do
  local tags = {}
  for name, rest in text:gmatch "<(%w[%w-]*)([^>]*)" do
    local tag = { name = name }
    for key, value in rest:gmatch '([%w-]+)="([^"]*)"' do
      tag[key] = value
    end
    tags[#tags + 1] = tag
  end
  assert(#tags > 0)
end
