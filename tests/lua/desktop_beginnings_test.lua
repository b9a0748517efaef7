#!/usr/bin/env tests/lua/run
--- Names that were taken for their beginnings are told by the call that took them.

local beginnings = require "desktop.beginnings"
local t          = require "check"
local task       = require "sys.task"


local function answer() return { content = { { type = "text", text = "done" } } } end


t.case("two calls at the same time each tell what they took", function()
  local both, ready = task.channel(2), 0
  local run = beginnings.run(function(args)
    beginnings.keep(args.window, args.is)
    ready = ready + 1
    if ready == 2 then for _ = 1, 2 do both:send(true) end end
    both:receive()                                  -- goes on when both have taken something
    return answer()
  end)
  local found = task.map({ "same", "sample" }, function(is) return run({ window = "sam", is = is }).content[1].text end)
  t.same(found[1], '(took "same" for "sam")\ndone')
  t.same(found[2], '(took "sample" for "sam")\ndone')
end)

t.case("a call tells what its own calls took, in tasks of their own too, and no other call does", function()
  local inner = beginnings.run(function(args)
    task.map({ 1 }, function() beginnings.keep(args.window, "same") end)
    return answer()
  end)
  local outer = beginnings.run(function()
    task.map({ 1, 2 }, function() inner { window = "sam" } end)
    return answer()
  end)
  t.same(outer({}).content[1].text, '(took "same" for "sam")\ndone')
  t.same(beginnings.run(answer)({ window = "sam" }).content[1].text, "done")
end)

t.case("the note of a call that failed is gone with it", function()
  local failing = beginnings.run(function(args)
    beginnings.keep(args.window, "same")
    error "oops"
  end)
  t.same(pcall(failing, { window = "sam" }), false)
  t.same(beginnings.run(answer)({ window = "sam" }).content[1].text, "done")
end)

t.done()
