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
  {
    { "ALTER TABLE calls ADD COLUMN transaction_id TEXT" },
    { [[CREATE TABLE transactions (id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
          name TEXT NOT NULL, owner TEXT NOT NULL, state TEXT NOT NULL, begun REAL NOT NULL, ended REAL,
          bytes INTEGER NOT NULL DEFAULT 0, count INTEGER NOT NULL DEFAULT 0, UNIQUE (session, name))]] },
    { "CREATE UNIQUE INDEX active_transactions ON transactions (session) WHERE state = 'active'" },
    { [[CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, of INTEGER NOT NULL REFERENCES transactions ON DELETE CASCADE,
          kind TEXT NOT NULL, key TEXT NOT NULL, what TEXT NOT NULL, tool TEXT NOT NULL, call INTEGER NOT NULL,
          place TEXT NOT NULL, before TEXT, content BLOB, after TEXT, why TEXT, times INTEGER NOT NULL DEFAULT 1,
          state TEXT NOT NULL DEFAULT 'done')]] },
    { "CREATE INDEX changes_of ON changes (of, id)" },
  },
}


---@return sys.db.Database? database
---@return string? err
---@return string? code
function M.open() return db.open("sessions", { schema = SCHEMA }) end


return M
