// The simulator of govmomi as it is: SOAP and the legacy /rest, no VI JSON and no /api/session.
package main

import (
	"crypto/tls"
	"encoding/json"
	"flag"
	"log"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"github.com/vmware/govmomi/simulator"
	_ "github.com/vmware/govmomi/vapi/simulator"
)

func main() {
	model := simulator.VPX()
	flag.IntVar(&model.Machine, "vm", model.Machine, "virtual machines per resource pool and standalone host")
	user := flag.String("username", "user", "the only user")
	password := flag.String("password", "pass", "and the password")
	flag.Parse()

	if err := model.Create(); err != nil {
		log.Fatal(err)
	}
	model.Service.TLS = new(tls.Config)
	model.Service.RegisterEndpoints = true
	model.Service.Listen = &url.URL{Host: "127.0.0.1:0", User: url.UserPassword(*user, *password)}
	server := model.Service.NewServer()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"url": server.URL.Scheme + "://" + server.URL.Host}); err != nil {
		log.Fatal(err)
	}

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
	server.Close()
	model.Remove()
}
