#compdef hub
# zsh completion for hub
_hub() {
    local -a lines described plain
    local line text help kind
    lines=("${(@f)$(HUB_JSON= HUB_OUTPUT= HUB_DRY_RUN= hub __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    kind=${lines[1]}
    case $kind in
    files*)
        local -a extensions=(${=kind#files})
        if (( ${#extensions} )); then
            _files -g "*.(${(j:|:)extensions})"
        else
            _files
        fi
        ;;
    directories) _files -/ ;;
    words*)
        for line in "${(@)lines[2,-1]}"; do
            text=${line%%$'\t'*}
            help=${line#*$'\t'}
            plain+=("$text")
            if [[ -n $help ]]; then described+=("$text -- $help"); else described+=("$text"); fi
        done
        local -a options=(-l -d described)
        [[ $kind == *continue ]] && options+=(-S '')
        # Words that were found by something else than their beginning take the place of what was typed; of
        # several only the list is shown, so that nothing typed is lost.
        if (( ! ${#${(M)plain:#${(b)PREFIX}*}} )); then
            options+=(-U)
            if (( ${#plain} > 1 )) && [[ $compstate[insert] == *unambiguous ]]; then
                compstate[insert]=
                compstate[list]='list force'
            fi
        fi
        compadd "${(@)options}" -- "${(@)plain}"
        ;;
    esac
}
if [[ $funcstack[1] == _hub ]]; then _hub "$@"; else compdef _hub hub; fi
