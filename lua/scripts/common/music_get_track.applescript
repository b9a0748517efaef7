-- music_get_track: the current track of Music
--
-- argv:   nothing
-- prints: the state (playing, paused or stopped), and of the current track the ID, the position and the length in milliseconds,
--         title, artist and album, with the character 31 between them; all but the state are empty if there is none
-- errors: -1703 there are arguments, -600 Music does not run
--
-- Works for up to 20 seconds.

on run argv
    if (count of argv) is not 0 then error "music_get_track takes nothing" number -1703
    if application id "com.apple.Music" is not running then error "Music does not run" number -600
    with timeout of 20 seconds
        set parts to my snapshot()
    end timeout
    set AppleScript's text item delimiters to character id 31
    return parts as text
end run

on snapshot()
    set parts to {"", "", "", "", "", "", ""}
    using terms from application id "com.apple.Music"
        tell application id "com.apple.Music"
            set theState to player state
            set item 1 of parts to my stateName(theState)
            try
                set theTrack to current track
                set thePosition to player position
                set theLength to duration of theTrack
                set item 2 of parts to persistent ID of theTrack
                set item 3 of parts to my milliseconds(thePosition)
                set item 4 of parts to my milliseconds(theLength)
                set item 5 of parts to name of theTrack
                set item 6 of parts to artist of theTrack
                set item 7 of parts to album of theTrack
            on error problem number errorNumber
                if errorNumber is not -1728 then error problem number errorNumber
            end try
        end tell
    end using terms from
    return parts
end snapshot

-- Winding is a way to play.
on stateName(theState)
    using terms from application id "com.apple.Music"
        if theState is stopped then return "stopped"
        if theState is paused then return "paused"
    end using terms from
    return "playing"
end stateName

-- Whole numbers, because the sign in a fraction depends on the language of the system.
on milliseconds(theSeconds)
    if theSeconds is missing value then return ""
    return round (theSeconds * 1000)
end milliseconds
