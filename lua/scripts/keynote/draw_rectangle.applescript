-- draw_rectangle: a rectangle on slide 1
--
-- argv:   bundle id, document id, x, y, width, height; whole points from the top left corner
-- prints: place|x|y|width|height, as Keynote settled them
-- errors: 9001 there is no such document, -1703 arguments are missing
--
-- A new shape of Keynote's is a rectangle; its kind cannot be chosen. Shapes have no identity: `place` is the shape's
-- number on its slide, found by comparing references (the newest is the last one). Works for up to 30 seconds.

on run argv
    if (count of argv) is not 6 then error "draw_rectangle takes bundle id, document id, x, y, width, height" number -1703
    set bundleId to item 1 of argv
    set docId to item 2 of argv
    set wantedX to (item 3 of argv) as integer
    set wantedY to (item 4 of argv) as integer
    set wantedWidth to (item 5 of argv) as integer
    set wantedHeight to (item 6 of argv) as integer
    using terms from application id "com.apple.Keynote"
        with timeout of 30 seconds
            tell application id bundleId
                if not (exists document id docId) then error "the document is not open" number 9001
                tell slide 1 of document id docId
                    set newShape to make new shape with properties {position:{wantedX, wantedY}, width:wantedWidth, height:wantedHeight}
                    -- Once more and in this order, in case a new shape takes them one by one: a size moves the position.
                    set width of newShape to wantedWidth
                    set height of newShape to wantedHeight
                    set position of newShape to {wantedX, wantedY}
                    set place to (count of shapes)
                    repeat with i from place to 1 by -1
                        if shape i is newShape then
                            set place to i
                            exit repeat
                        end if
                    end repeat
                    set {{atX, atY}, newWidth, newHeight} to {position, width, height} of shape place
                end tell
            end tell
        end timeout
    end using terms from
    return (place as text) & "|" & numberText(atX) & "|" & numberText(atY) & "|" & numberText(newWidth) & "|" & numberText(newHeight)
end run

-- With a point in every language, at most two decimals, no exponent: 1024, 793.7
on numberText(n)
    set minus to ""
    if n < 0 then
        set minus to "-"
        set n to -n
    end if
    set hundredths to (n * 100 + 0.5) div 1
    set wholeText to minus & ((hundredths div 100) as text)
    set decimals to hundredths mod 100
    if decimals = 0 then return wholeText
    if decimals mod 10 = 0 then return wholeText & "." & ((decimals div 10) as text)
    if decimals < 10 then return wholeText & ".0" & (decimals as text)
    return wholeText & "." & (decimals as text)
end numberText
