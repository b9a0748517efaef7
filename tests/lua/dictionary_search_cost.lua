--- Builds an index of 6,000 rows and asks it so many questions: tests/dictionary/search_test.py measures what that costs.
--- Called by tests/lua/run: dictionary_search_cost.lua QUESTIONS.

local curated   = require "dictionary.curated"
local large     = require "dictionary_large"
local questions = require "dictionary_questions"
local search    = require "dictionary.search"

local count = tonumber((...))
local index, list, rows = search.new(), {}, 0
for _, model in ipairs(large.models(6000)) do index:add(model, curated.of(model)) end
for question in questions:gmatch "([^\n|]+) |" do list[#list + 1] = question end
for i = 1, count do rows = rows + #index:search(list[i % #list + 1]) end
print(index:count_rows(), rows)
