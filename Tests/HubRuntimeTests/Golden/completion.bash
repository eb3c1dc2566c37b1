# bash completion for hub
_hub() {
    local line=${COMP_LINE:0:COMP_POINT} word words=() i glue=
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]//\\/}
        word=${word#[\"\']}
        if [[ $word == [=:] || $glue == 1 ]] && ((${#words[@]} > 0)); then
            words[-1]+=$word
            [[ $word == [=:] ]] && glue=1 || glue=
        else
            words+=("$word")
            glue=
        fi
    done
    ((${#words[@]} == 0)) && words=('')
    [[ $line == *' ' && -n ${words[-1]} && -z ${COMP_WORDS[COMP_CWORD]} ]] && words+=('')
    local current=${words[-1]} cut= kind text help
    [[ $current == *[=:]* ]] && cut=${current%"${current##*[=:]}"}
    COMPREPLY=()
    {
        read -r kind
        case $kind in
        files*)
            compopt -o filenames 2>/dev/null
            local extensions=(${kind#files}) extension
            if ((${#extensions[@]} == 0)); then
                mapfile -t COMPREPLY < <(compgen -f -- "${current#"$cut"}")
            else
                mapfile -t COMPREPLY < <(
                    for extension in "${extensions[@]}"; do
                        compgen -f -X "!*.$extension" -- "${current#"$cut"}"
                    done
                    compgen -d -- "${current#"$cut"}"
                )
            fi
            ;;
        directories)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "${current#"$cut"}")
            ;;
        words*)
            [[ $kind == *continue ]] && compopt -o nospace 2>/dev/null
            while IFS=$'\t' read -r text help; do
                text=${text#"$cut"}
                [[ $text == *[^[:alnum:]_./=,:@%+-]* ]] && printf -v text %q "$text"
                COMPREPLY+=("$text")
            done
            ;;
        esac
    } < <(HUB_JSON= HUB_OUTPUT= hub __complete -- "${words[@]}" 2>/dev/null)
}
complete -F _hub hub
