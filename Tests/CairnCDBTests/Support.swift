import CairnCDB
import CairnTestSupport
import Foundation
import Testing
