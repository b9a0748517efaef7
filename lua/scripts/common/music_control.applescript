-- music_control: let Music play, pause, go to another track or stop
--
-- argv:   play, pause, play_pause, next, previous or stop
-- prints: the state (playing, paused or stopped), and of the current track the ID, the position and the length in milliseconds,
--         title, artist and album, with the character 31 between them: as they were, and as they are afterwards
-- errors: -1703 arguments are missing, -600 Music does not run
--
-- Does nothing if Music is in the wanted state. Looks for up to 5 seconds whether it was done; works for up to 20 seconds.

on run argv
    if (count of argv) is not 1 then error "music_control takes an action" number -1703
    set theAction to item 1 of argv
    if application id "com.apple.Music" is not running then error "Music does not run" number -600
    with timeout of 20 seconds
        set thePast to my snapshot()
        set theNow to thePast
        if not my isThere(theAction, item 1 of thePast) then
            my act(theAction)
            set chances to 10
            repeat 50 times
                set theNow to my snapshot()
                if my isDone(theAction, thePast, theNow) then exit repeat
                if my mayBeDone(thePast, theNow) then set chances to chances - 1
                if chances is 0 then exit repeat
                delay 0.1
            end repeat
        end if
    end timeout
    set AppleScript's text item delimiters to character id 31
    return (thePast & theNow) as text
end run

on act(theAction)
    using terms from application id "com.apple.Music"
        tell application id "com.apple.Music"
            if theAction is "play" then
                play
            else if theAction is "pause" then
                pause
            else if theAction is "play_pause" then
                playpause
            else if theAction is "next" then
                next track
            else if theAction is "previous" then
                previous track
            else if theAction is "stop" then
                stop
            else
                error "music_control knows no such action" number -1703
            end if
        end tell
    end using terms from
end act

-- True if the action has nothing to do in this state.
on isThere(theAction, theState)
    if theAction is "play" then return theState is "playing"
    if theAction is "pause" then return theState is not "playing"
    if theAction is "stop" then return theState is "stopped"
    return false
end isThere

on isDone(theAction, thePast, theNow)
    if theAction is in {"play", "pause", "stop"} then return my isThere(theAction, item 1 of theNow)
    if theAction is "play_pause" then return item 1 of thePast is not item 1 of theNow
    return item 5 of theNow is not "" and item 5 of thePast is not item 5 of theNow
end isDone

-- True if it moved, and shows no other title: there may be no other track, or it follows in a moment.
on mayBeDone(thePast, theNow)
    if item 1 of thePast is not item 1 of theNow then return true
    if item 2 of thePast is not item 2 of theNow then return true
    if item 3 of thePast is "" or item 3 of theNow is "" then return false
    return item 3 of theNow < item 3 of thePast
end mayBeDone

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
