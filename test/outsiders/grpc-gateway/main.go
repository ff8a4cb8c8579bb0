// The REST interface as grpc-gateway's own generator makes it of the protos: it dials the address in its argument, writes the
// one that it listens on, and serves until it is killed.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	// Details of errors are written as JSON by their descriptors.
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	assessment "gateway/assessment/v1"
)

type register = func(context.Context, *runtime.ServeMux, *grpc.ClientConn) error

func serve(address string) error {
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	mux := runtime.NewServeMux()
	for _, service := range []register{
		assessment.RegisterAssessmentServiceHandler,
		assessment.RegisterAuditServiceHandler,
		assessment.RegisterEventServiceHandler,
		assessment.RegisterExportServiceHandler,
		assessment.RegisterGroupServiceHandler,
		assessment.RegisterNormServiceHandler,
		assessment.RegisterReportServiceHandler,
		assessment.RegisterSandboxServiceHandler,
		assessment.RegisterSessionServiceHandler,
		assessment.RegisterSubjectServiceHandler,
		assessment.RegisterWebhookServiceHandler,
	} {
		if err := service(context.Background(), mux, connection); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	return http.Serve(listener, mux)
}

func main() {
	log.Fatal(serve(os.Args[1]))
}
