// A record of a constant database cannot be kept in an array.
import CairnCDB

func all() {
    let entries: [CDBEntry] = []  // error: does not conform to protocol 'Escapable'
    _ = entries
}
