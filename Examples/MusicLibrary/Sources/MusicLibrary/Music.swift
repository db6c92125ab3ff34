import CairnObjects

@main
struct Music {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { return print("usage: MusicLibrary DIRECTORY\n\n\(Shell.help)") }
        let library = try Library(path: CommandLine.arguments[1])
        // What is saved by any context; ends when the store is closed.
        let commits = library.store.commits()
        let counting = Task {
            var (inserted, updated, deleted) = (0, 0, 0)
            for await commit in commits {
                inserted += commit.inserted.count
                updated += commit.updated.count
                deleted += commit.deleted.count
            }
            return "saved: \(inserted) new, \(updated) changed, \(deleted) deleted"
        }

        let shell = Shell(library)
        while let line = readLine() {
            do {
                guard try await shell.perform(line) else { break }
            } catch let error as ObjectStoreError where error.code == .conflict {
                print("Something else was faster. 'revert' has what it saved.")
            } catch let error as ObjectStoreError where error.code == .notUnique {
                print("There is one already. 'revert', or 'undo'.")
            } catch {
                print(error)
            }
        }
        // Where the input ended without 'quit', what was not saved is dropped.
        library.revert()
        try library.close()
        print(await counting.value)
    }
}
