//! scene_file
