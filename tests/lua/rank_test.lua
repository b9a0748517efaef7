#!/usr/bin/env tests/lua/run
--- The index of words: weights, groups, removal, and changes while searches run.
local t    = require "check"
local rank = require "rank"
local task = require "sys.task"


local function words(text)
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = word end
  return list
end


--- The places that match, best first: "3 1".
local function order(index, terms, only)
  local hits = index:hits(terms, only)
  local places, points = hits.places, hits.points
  table.sort(places, function(a, b)
    if points[a] ~= points[b] then return points[a] > points[b] end
    return a < b
  end)
  return table.concat(places, " ")
end


--- Points and matched weights of a place: { 6, 1 }.
local function at(hits, place)
  return { hits.points[place], hits.matched[place] }
end


local function term(text, weight, given)
  local list = {}
  for word, fit in text:gmatch "(%a+)=?([%d.]*)" do list[#list + 1] = { word, tonumber(fit) or 1 } end
  return { weight = weight or 1, words = list, given = given }
end


local function sample()
  local index = rank.new()
  index:add({ { 6, words "open file" }, { 2, words "shows a file" } }, 1)
  index:add({ { 6, words "close" }, { 2, words "the open file" } }, 1)
  index:add({ { 6, words "print" }, { 1, words "open" } }, 2)
  return index
end


t.case("the heaviest part with a word counts, once", function()
  local hits = sample():hits { term "file" }
  t.same({ at(hits, 1), at(hits, 2), #hits.places }, { { 6, 1 }, { 2, 1 }, 2 })
end)

t.case("terms add up, and the best word of a term counts", function()
  t.same(order(sample(), { term "open" }), "1 2 3")
  t.same(order(sample(), { term "open", term("print", 2) }), "3 1 2")
  t.same(order(sample(), { term "print=0.1 close" }), "2 3")
  local points = sample():hits({ term "open=0.5 print=0.9" }, { [2] = true }).points[3]
  t.ok(math.abs(points - 6 * 0.9) < 1e-9, "the better of two words: " .. points)
end)

t.case("only the groups that are asked for", function()
  t.same(order(sample(), { term "open" }, { [2] = true }), "3")
  t.same(order(sample(), { term "open" }, {}), "")
end)

t.case("points that a group has anyway count once, for its other places as well", function()
  local hits = sample():hits { term("open", 1, { [1] = 5 }), term "print" }
  t.same(at(hits, 1), { 1, 0 })   -- 6 - 5; the caller adds 5
  t.same(at(hits, 2), { 0, 0 })
  t.same(at(hits, 3), { 7, 2 })
end)

t.case("parts of words", function()
  local index, found = sample(), {}
  index:each_match("prin", function(word, fit) found[#found + 1] = word .. " " .. fit end)
  index:each_match("rint", function(word, fit) found[#found + 1] = word .. " " .. fit end)
  index:each_match("pr", function(word, fit) found[#found + 1] = word .. " " .. fit end)
  index:each_match("open", function(word, fit) found[#found + 1] = word .. " " .. fit end)
  t.same(found, { "print 0.7", "print 0.4", "open 1" })
end)

t.case("a removed text is not found, and its place is used again", function()
  local index = sample()
  index:remove(1)
  t.same(order(index, { term "open" }), "2 3")
  t.same(index:add({ { 6, words "save file" } }, 3), 1)
  t.same(order(index, { term "open" }), "2 3")
  t.same(order(index, { term "file" }), "1 2")
  t.same(index:size(), 3)
end)

t.case("words that only removed texts had are forgotten", function()
  local index, found = sample(), {}
  index:remove(3)
  index:each_match("prin", function(word) found[#found + 1] = word end)
  t.same(found, {})
  t.same(index:frequency "print", 0)
  t.same(index:frequency "open", 2)
end)

--- An index of some texts: word N is in text N, and "all" in each.
local function large(count)
  local index = rank.new()
  for i = 1, count do index:add { { 3, { "all", "word" .. i } } } end
  return index
end

t.case("an index that is changed for long finds what is left", function()
  local index = large(400)
  for i = 1, 400 do
    if i % 3 ~= 0 then index:remove(i) end
  end
  t.same(#index:hits { term "all" }.places, 133)
  for i = 1, 400 do
    t.same(#index:hits { { weight = 1, words = { { "word" .. i, 1 } } } }.places, i % 3 == 0 and 1 or 0, "word" .. i)
  end
  t.ok(index:frequency "all" < 400 // 2, "postings of removed texts pile up")
end)

t.case("searches run in turns with changes, and find what stays", function()
  local index, stop, least, searches = large(20000), false, math.huge, 0   -- a search takes longer than a turn
  task.map({ "search", "change" }, function(what)
    if what == "search" then
      while not stop or searches < 3 do
        least, searches = math.min(least, #index:hits { term "all" }.places), searches + 1
        index:each_match("wor", function() end)
      end
      return
    end
    for round = 1, 6 do
      local places = {}
      for i = 1, 3000 do places[i] = index:add { { 3, { "all", ("new%dx%d"):format(round, i) } } } end
      for _, place in ipairs(places) do index:remove(place) end
    end
    stop = true
  end)
  t.ok(least >= 20000, "a search found " .. least .. " of 20000")
  t.same(#index:hits { term "all" }.places, 20000)
end)

t.done()
