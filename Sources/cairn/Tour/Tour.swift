import ArgumentParser

struct Tour: ParsableCommand {
}
