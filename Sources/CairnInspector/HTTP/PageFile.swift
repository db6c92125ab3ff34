/// A file that the page consists of. The files in `Web` are compiled into the program, so they are there in a static binary too.
struct PageFile: Sendable {
    let type: String
    let bytes: [UInt8]

    /// The file with that name in the address of the page; `""` is the page itself.
    static func named(_ name: String) -> PageFile? { all[name] }

    private static let script = "text/javascript; charset=utf-8"

    private static let all = [
        "": PageFile(type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
        "style.css": PageFile(type: "text/css; charset=utf-8", bytes: PackageResources.style_css),
        "icon.svg": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg),
        "app.js": PageFile(type: script, bytes: PackageResources.app_js),
        "api.js": PageFile(type: script, bytes: PackageResources.api_js),
        "events.js": PageFile(type: script, bytes: PackageResources.events_js),
        "edit.js": PageFile(type: script, bytes: PackageResources.edit_js),
        "ui.js": PageFile(type: script, bytes: PackageResources.ui_js),
        "objects.js": PageFile(type: script, bytes: PackageResources.objects_js),
        "rocks.js": PageFile(type: script, bytes: PackageResources.rocks_js),
        "mapped.js": PageFile(type: script, bytes: PackageResources.mapped_js),
        "cdb.js": PageFile(type: script, bytes: PackageResources.cdb_js),
    ]
}
