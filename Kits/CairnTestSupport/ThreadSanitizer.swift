import Foundation
public import Testing

extension Trait where Self == ConditionTrait {
    /// For tests that limit the size of files of a program: the thread sanitizer writes a file of its own when a program starts, and a program that is built for it ends
    /// if that file is cut.
    public static var limitingFileSizes: Self {
        .enabled(
            if: unsafe dlsym(nil, "__tsan_init") == nil,
            "a program that is built for the thread sanitizer does not start below a limit of file sizes"
        )
    }
}
