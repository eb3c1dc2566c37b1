/// The component library of all pages, served below `/assets/components/`.
extension WebAssets {
    /// The modules, one for each subject.
    static let components = [
        ("avatar", PackageResources.avatar_js),
        ("chart", PackageResources.chart_js),
        ("download", PackageResources.download_js),
        ("entities", PackageResources.entities_js),
        ("entityhistory", PackageResources.entityhistory_js),
        ("entitylist", PackageResources.entitylist_js),
        ("entitypage", PackageResources.entitypage_js),
        ("entitytrash", PackageResources.entitytrash_js),
        ("fields", PackageResources.fields_js),
        ("files", PackageResources.files_js),
        ("form", PackageResources.form_js),
        ("format", PackageResources.format_js),
        ("icons", PackageResources.icons_js),
        ("keys", PackageResources.keys_js),
        ("list", PackageResources.list_js),
        ("listpage", PackageResources.listpage_js),
        ("live", PackageResources.live_js),
        ("menu", PackageResources.menu_js),
        ("patch", PackageResources.patch_js),
        ("questions", PackageResources.questions_js),
        ("rows", PackageResources.rows_js),
        ("savedsearches", PackageResources.savedsearches_js),
        ("searchlist", PackageResources.searchlist_js),
        ("shortcuts", PackageResources.shortcuts_js),
        ("split", PackageResources.split_js),
        ("states", PackageResources.states_js),
        ("undoable", PackageResources.undoable_js),
        ("view", PackageResources.view_js),
    ]
}
