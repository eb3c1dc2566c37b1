import Glibc

/// A C library that hub uses, as `libraries.tsv` declares it; the set-up script and the docs read the same table.
struct Library: Sendable {
    /// The common name.
    let name: String
    /// The file that the loader looks for; nil for a library of headers only.
    let soname: String?
    /// The Debian package that holds it.
    let package: String?
    /// The purpose in hub.
    let purpose: String

    /// All of them.
    static let all: [Library] = String(decoding: PackageResources.libraries_tsv, as: UTF8.self).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }.compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 6 else { return nil }
            func known(_ cell: String) -> String? { cell == "-" ? nil : cell }
            return Library(name: cells[0], soname: known(cells[1]), package: known(cells[2]), purpose: cells[5])
        }

    /// Whether the loader finds it.
    var isInstalled: Bool {
        guard let soname else { return true }
        guard let handle = dlopen(soname, RTLD_LAZY | RTLD_LOCAL) else { return false }
        dlclose(handle)
        return true
    }
}
