# Prints each `package` declaration without a documentation comment. An initializer that only keeps its parameters in
# properties of the same names needs none.
FNR == 1 { documented = 0; init = "" }
init != "" {
    if ($0 ~ "^" indent "}" || one_line) { init = "" }
    else if (in_body) {
        if ($0 !~ /^ *(self\.)?[A-Za-z0-9`]+ = [A-Za-z0-9`]+$/) { print init; failed = 1; init = "" }
    }
    if (init != "" && $0 ~ /{$/) in_body = 1
    if ($0 ~ "^" indent "}") next
}
/^ *\/\/\// { documented = 1; next }
/^ *(@|#if|#endif)/ && !/package (static )?(func|var|let|init|struct|enum)/ { next }
/^ *(@[A-Za-z]+(\([^)]*\))? )*package / && !/package import/ && !/ extension / && !documented {
    place = FILENAME ":" FNR ": " $0
    if ($0 !~ /package (convenience )?init/) { print place; failed = 1 }
    else if ($0 ~ /{.*}$/) {
        body = $0; sub(/^[^{]*{ */, "", body); sub(/ *}$/, "", body)
        if (body != "" && body !~ /^(self\.)?[A-Za-z0-9`]+ = [A-Za-z0-9`]+$/) { print place; failed = 1 }
    } else {
        init = place; match($0, /^ */); indent = substr($0, 1, RLENGTH); in_body = ($0 ~ /{$/)
    }
}
{ documented = 0 }
END { exit failed }
