--- The structured result of create_input.

local aftermath = require "elements.act.aftermath"
local effects   = require "desktop.effects"
local s         = require "schema"
local waiting   = require "desktop.tools.waiting"

local POINT = s.object({ { "x", s.number() }, { "y", s.number() } }, "Pointer position after the action, in points.")

local M = {}

M.schema = s.object {
  { "name", s.string "Resource name: inputs/N." },
  { "action", s.string "The action that was sent." },
  { "pointer", POINT },
  { "sent", s.integer "Number of events sent to the display." },
  { "settled", s.boolean("True if the frontmost application confirmed that it processed the input, and, where its "
    .. "field can be read (see evidence), the text is there exactly.") },
  { "evidence", s.string "Why settled is true or false." },
  { "route", s.string "How the input was sent: \"xtest\", \"paste ctrl+v\", ..." },
  { "characters", s.integer("For text: number of characters typed or pasted.", { optional = true }) },
  { "notches", s.object({ { "x", s.integer "Notches to the right." }, { "y", s.integer "Notches down." } },
    "For a scroll: wheel notches that were sent.", { optional = true }) },
  { "held_by", s.string("The open menu or popup that gets the next input, or what else holds the pointer or the keyboard.",
    { optional = true }) },
  { "code", s.enum({ "TEXT_DIFFERS" }, "For text: the field holds other text than was entered.", { optional = true }) },
  { "seen", s.string("What the field holds in its place, up to 200 characters.", { optional = true }) },
  effects.member,
  effects.late_member,
  aftermath.members[1], aftermath.members[2], aftermath.members[3],
  { "clipboard", s.enum({ "restored", "partly restored", "not restored", "was empty" },
    "After pasting: what happened to the previous clipboard content.", { optional = true }) },
  { "note", s.string("Additional information.", { optional = true }) },
  waiting.member,
}


return M
