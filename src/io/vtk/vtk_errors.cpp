#include "io/vtk/vtk_errors.hpp"

#include <vtkCommand.h>
#include <vtkObject.h>

#include <algorithm>

namespace solenoid {

// VTK's messages have to be on: without them there are no events of errors either.
VtkErrors::VtkErrors()
    : displays_(vtkObject::GetGlobalWarningDisplay()),
      mode_(window_->GetDisplayMode()),
      logs_(vtkLogger::GetCurrentVerbosityCutoff()) {
    vtkObject::SetGlobalWarningDisplay(1);
    window_->SetDisplayModeToNever();
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
    callback_->SetClientData(this);
    callback_->SetCallback([](vtkObject*, unsigned long, void* self, void* text) {
        auto& errors = *static_cast<VtkErrors*>(self);
        errors.is_any_ = true;
        if (text && errors.text_.empty()) errors.text_ = static_cast<const char*>(text);
    });
    observer_ = window_->AddObserver(vtkCommand::ErrorEvent, callback_);
}

VtkErrors::~VtkErrors() {
    window_->RemoveObserver(observer_);
    vtkLogger::SetStderrVerbosity(logs_);
    window_->SetDisplayMode(mode_);
    vtkObject::SetGlobalWarningDisplay(displays_);
}

std::string VtkErrors::text() const {
    std::string text = text_.substr(text_.find('\n') == text_.npos ? 0 : text_.find('\n') + 1);
    if (const auto end = text.find("): "); text.starts_with("vtk") && end != text.npos)
        text = text.substr(end + 3);
    std::ranges::replace(text, '\n', ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    return text.substr(0, 300);
}

}  // namespace solenoid
