// Options changed while a database is open, and compared with those on disk.
#include "ProcessEnd.hpp"

#include <rocksdb/utilities/options_util.h>

#include <sstream>
#include <unordered_map>

namespace {

std::unordered_map<std::string, std::string> map_of(const crk_setting *settings, size_t count) {
    std::unordered_map<std::string, std::string> map;
    for (size_t i = 0; i < count; ++i) { map[crk::slice(settings[i].name).ToString()] = crk::slice(settings[i].value).ToString(); }
    return map;
}

}  // namespace

rocksdb::Status crk::read_options_file(const char *path, rocksdb::Env *env, std::string &text) {
    rocksdb::Status status;
    // A process that has the database open may replace the file meanwhile.
    for (int attempt = 0; attempt < 8; ++attempt) {
        std::string name;
        status = rocksdb::GetLatestOptionsFileName(path, env, &name);
        if (!status.ok()) { return status; }
        status = rocksdb::ReadFileToString(env, std::string(path) + "/" + name, &text);
        if (status.ok()) { return status; }
    }
    return status;
}

bool crk::allows_prepared(const std::string &text) { return text.find("allow_2pc=true") != std::string::npos; }

std::set<std::string> crk::merging_families(const std::string &text) {
    std::set<std::string> families;
    std::string line, family;
    const std::string title = "[CFOptions \"";
    std::istringstream lines(text);
    while (std::getline(lines, line)) {
        if (line.compare(0, title.size(), title) == 0) {
            family.clear();
            for (size_t i = title.size(); i < line.size(); ++i) {
                if (line[i] == '\\' && i + 1 < line.size()) { ++i; }
                family += line[i];
            }
            family.resize(family.rfind('"') == std::string::npos ? 0 : family.rfind('"'));
        } else if (line.find("  merge_operator=") == 0 && line.find("=nullptr") == std::string::npos) {
            families.insert(family);
        }
    }
    return families;
}

crk_status crk_set_db_options(crk_db *db, const crk_setting *settings, size_t count) {
    return crk::in_database(db, [&] {
        // It would write a new options file for a database that another process may have open.
        if (db->read_only) { return crk::read_only_status(); }
        // Some are intervals of the timer.
        return crk::before_end([&] { return db->db->SetDBOptions(map_of(settings, count)); });
    });
}
crk_status crk_set_cf_options(crk_column_family *family, const crk_setting *settings, size_t count) {
    return crk::in_any_family(family, [&](auto &) {
        if (family->db->read_only) { return crk::read_only_status(); }
        return crk::before_end([&] { return family->db->db->SetOptions(family->handle, map_of(settings, count)); });
    });
}

crk_status crk_check_options(const char *path, const crk_db_options *options, size_t count, const char *const *names,
    crk_cf_options *const *family_options) {
    return crk::guarded([&] {
        std::vector<rocksdb::ColumnFamilyDescriptor> families;
        for (size_t i = 0; i < count; ++i) { families.emplace_back(names[i], family_options[i]->object); }
        rocksdb::ConfigOptions config;
        config.ignore_unknown_options = true;
        config.input_strings_escaped = true;
        config.env = options->object.env;
        config.sanity_level = rocksdb::ConfigOptions::kSanityLevelLooselyCompatible;
        return crk::before_end([&] { return rocksdb::CheckOptionsCompatibility(config, path, options->object, families); });
    });
}
