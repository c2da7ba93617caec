// What VTK says of files that it cannot read or write.
#pragma once

#include <vtkCallbackCommand.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

#include <string>

namespace solenoid {

// While it exists: the first error of VTK's, of whatever object, and nothing of it on the terminal.
// A reader of several files tells errors of theirs by its own code only at times.
class VtkErrors {
  public:
    VtkErrors();
    ~VtkErrors();
    VtkErrors(const VtkErrors&) = delete;

    bool is_any() const { return is_any_; }
    // In one line, without the name of VTK's source file and the address of its object; "" where
    // there is none.
    std::string text() const;

  private:
    const vtkSmartPointer<vtkOutputWindow> window_ = vtkOutputWindow::GetInstance();
    const int displays_, mode_;
    const vtkLogger::Verbosity logs_;
    vtkNew<vtkCallbackCommand> callback_;
    unsigned long observer_ = 0;
    bool is_any_ = false;
    std::string text_;
};

}  // namespace solenoid
