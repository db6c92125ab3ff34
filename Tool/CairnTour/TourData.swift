/// A record of the tour's data.
struct Item: Codable, Hashable, Sendable {
    var name: String
    var group: String
    var size: Int?
    var text: String
}

/// The data that the tour stores, and the names of its columns.
struct TourData: Sendable {
    /// Such as `packages`: ends with an s, which one of them does without.
    var noun: String
    /// Where the data comes from, for people.
    var source: String
    /// The names of `name`, `group`, `size` and `text`; `nil` for `size` if there are no sizes.
    var labels: (name: String, group: String, size: String?, text: String)
    /// In the order of the source, with unique names. Groups are one short line.
    private(set) var items: [Item] = []
    /// How often each group occurs.
    private(set) var groups: [String: Int] = [:]

    init(noun: String, source: String, labels: (name: String, group: String, size: String?, text: String), items: [Item]) {
        self.noun = noun
        self.source = source
        self.labels = labels
        var seen: Set<String> = []
        for var item in items where seen.insert(item.name).inserted {
            // It becomes a key and a title.
            item.group = cut(item.group)
            self.items.append(item)
            groups[item.group, default: 0] += 1
        }
    }
}

extension TourData {
    /// Mountains, for machines without any of the usual files.
    static let builtIn = TourData(
        noun: "mountains",
        source: "built-in data",
        labels: ("mountain", "range", "metres", "where"),
        items: """
            Aconcagua|Andes|6961|Argentina
            Annapurna I|Himalaya|8091|Nepal
            Broad Peak|Karakoram|8051|China, Pakistan
            Chimborazo|Andes|6263|Ecuador
            Cho Oyu|Himalaya|8188|China, Nepal
            Cotopaxi|Andes|5897|Ecuador
            Dhaulagiri I|Himalaya|8167|Nepal
            Dom|Alps|4546|Switzerland
            Dufourspitze|Alps|4634|Switzerland
            Gasherbrum I|Karakoram|8080|China, Pakistan
            Gasherbrum II|Karakoram|8035|China, Pakistan
            Huascaran|Andes|6768|Peru
            Illimani|Andes|6438|Bolivia
            K2|Karakoram|8611|China, Pakistan
            Kangchenjunga|Himalaya|8586|India, Nepal
            Lhotse|Himalaya|8516|China, Nepal
            Makalu|Himalaya|8485|China, Nepal
            Manaslu|Himalaya|8163|Nepal
            Matterhorn|Alps|4478|Italy, Switzerland
            Mont Blanc|Alps|4806|France, Italy
            Mount Elbert|Rocky Mountains|4401|United States
            Mount Everest|Himalaya|8849|China, Nepal
            Mount Robson|Rocky Mountains|3954|Canada
            Nanga Parbat|Himalaya|8125|Pakistan
            Shishapangma|Himalaya|8027|China
            """.split(separator: "\n").map { line in
                let parts = line.split(separator: "|").map(String.init)
                return Item(name: parts[0], group: parts[1], size: Int(parts[2]), text: parts[3])
            }
    )
}
