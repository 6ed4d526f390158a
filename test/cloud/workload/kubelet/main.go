// The one thing that Cluster API needs a kubelet's server for: port-forwarding to the static pods of a control plane machine.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
)

const (
	// Both as in the kubelet: how long a forwarding may be silent, and how long its client may take to open its streams.
	idleTimeout           = 4 * time.Hour
	streamCreationTimeout = 30 * time.Second
	dialTimeout           = 5 * time.Second
)

// targets are the addresses behind "<pod>:<port>".
type targets map[string]string

func (t targets) String() string { return fmt.Sprint(map[string]string(t)) }

// Set reads one "<pod>:<port>=<address>".
func (t targets) Set(value string) error {
	pod, address, found := strings.Cut(value, "=")
	if !found {
		return errors.New("it is not of the form <pod>:<port>=<address>")
	}
	t[pod] = address
	return nil
}

// PortForward copies in both directions until one side ends.
func (t targets) PortForward(ctx context.Context, pod string, _ types.UID, port int32, stream io.ReadWriteCloser) error {
	address, known := t[fmt.Sprintf("%s:%d", pod, port)]
	if !known {
		return fmt.Errorf("nothing listens on port %d of pod %s", port, pod)
	}
	dialer := net.Dialer{Timeout: dialTimeout}
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	// Either end closes the other: a client that hangs up must not leave its connection to the member behind.
	ended := make(chan struct{}, 2)
	forward := func(to io.Writer, from io.Reader) {
		_, _ = io.Copy(to, from)
		ended <- struct{}{}
	}
	go forward(connection, stream)
	go forward(stream, connection)
	<-ended
	return nil
}

func (t targets) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	// /portForward/<namespace>/<pod>[/<uid>]
	path := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	if len(path) < 3 || path[0] != "portForward" {
		http.NotFound(response, request)
		return
	}
	options, err := portforward.NewV4Options(request)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	portforward.ServePortForward(response, request, t, path[2], "", options, idleTimeout, streamCreationTimeout, portforward.SupportedProtocols)
}

func main() {
	forwards := targets{}
	listen := flag.String("listen", "", "address to serve HTTPS on")
	certificate := flag.String("certificate", "", "file of the serving certificate")
	key := flag.String("key", "", "file of its private key")
	clientAuthority := flag.String("client-ca", "", "file of the authority that signs the certificates of clients")
	flag.Var(forwards, "forward", "`<pod>:<port>=<address>` to forward to, once for each")
	flag.Parse()
	authorities, err := readAuthorities(*clientAuthority)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Addr:              *listen,
		Handler:           forwards,
		ReadHeaderTimeout: streamCreationTimeout,
		TLSConfig:         &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: authorities, MinVersion: tls.VersionTLS12},
		// HTTP/2 has no upgrades, and SPDY is one.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	log.Fatal(server.ListenAndServeTLS(*certificate, *key))
}

func readAuthorities(path string) (*x509.CertPool, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("%s holds no certificate", path)
	}
	return pool, nil
}
