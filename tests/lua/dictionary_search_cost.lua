--- Builds an index of 6,000 rows and asks it so many questions: tests/dictionary/search_test.py measures what that costs.
--- Called by tests/lua/run: dictionary_search_cost.lua QUESTIONS [plain]. "plain" asks as many without the index: it looks for each
--- word of a question in the text of each row, which is the floor of the measurement, with as much in memory.

local curated   = require "dictionary.curated"
local each_row  = require "dictionary.rows".each
local large     = require "dictionary_large"
local questions = require "dictionary_questions"
local search    = require "dictionary.search"

local count, plain = tonumber((...)), select(2, ...) == "plain"
local index, texts, list, rows = search.new(), {}, {}, 0
for _, model in ipairs(large.models(6000)) do
  index:add(model, curated.of(model))
  each_row(model, function(row) texts[#texts + 1] = (row.name .. " " .. row.description):lower() end)
end
for question in questions:gmatch "([^\n|]+) |" do list[#list + 1] = question end


local function found_plain(question)
  local found = 0
  for _, text in ipairs(texts) do
    for word in question:gmatch "%a+" do
      if text:find(word, 1, true) then found = found + 1 end
    end
  end
  return found
end


for i = 1, count do
  local question = list[i % #list + 1]
  rows = rows + (plain and found_plain(question) or #index:search(question))
end
print(index:count_rows(), rows)
