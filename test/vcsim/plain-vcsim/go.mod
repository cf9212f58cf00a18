module vsphere-problem-detector.test/plain-vcsim

go 1.25.0

require github.com/vmware/govmomi v0.56.0
