--- The database in which sessions are kept. What a damaged file or one of a newer version means is said by sys.db.

local db = require "sys.db"

local M = {}

-- From an empty database to its newest form: append to it.
local SCHEMA = {
  {
    { [[CREATE TABLE sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, realm TEXT NOT NULL, name TEXT NOT NULL, owner TEXT NOT NULL,
          display_name TEXT NOT NULL, metadata TEXT NOT NULL, created REAL NOT NULL, used REAL NOT NULL,
          last INTEGER NOT NULL DEFAULT 0, UNIQUE (realm, name))]] },
    { [[CREATE TABLE members (session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE, owner TEXT NOT NULL,
          PRIMARY KEY (session, owner)) WITHOUT ROWID]] },
    { [[CREATE TABLE calls (id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
          number INTEGER NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL, reads INTEGER NOT NULL, engine TEXT NOT NULL,
          state TEXT NOT NULL, code TEXT, error TEXT, structured TEXT, text TEXT, content TEXT, source INTEGER NOT NULL DEFAULT 0,
          bytes INTEGER NOT NULL DEFAULT 0, begun REAL NOT NULL, ended REAL, UNIQUE (session, number))]] },
    { [[CREATE TABLE aliases (session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE, alias TEXT NOT NULL,
          number INTEGER NOT NULL, PRIMARY KEY (session, alias)) WITHOUT ROWID]] },
    { [[CREATE TABLE things (id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
          kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, time REAL NOT NULL, UNIQUE (session, kind, name))]] },
    { "CREATE INDEX kept_results ON calls (session, id, bytes) WHERE bytes > 0" },
    { "CREATE INDEX running_calls ON calls (session) WHERE state = 'running'" },
  },
}


---@return sys.db.Database? database
---@return string? err
---@return string? code
function M.open() return db.open("sessions", { schema = SCHEMA }) end


return M
