// Runs one whole assessment over gRPC: a token, a session, its answers, its results.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	assessment "pas/assessment/v1"
)

const (
	product   = "values-bridge"
	timeLimit = 30 * time.Second
)

// tokenOf obtains an access token. It lives an hour: keep it, and obtain a new one when a call ends with Unauthenticated.
func tokenOf(ctx context.Context, connection *grpc.ClientConn, clientID, clientSecret string) (string, error) {
	request := &assessment.IssueTokenRequest{ClientId: clientID, ClientSecret: clientSecret}
	issued, err := assessment.NewTokenServiceClient(connection).IssueToken(ctx, request)
	return issued.GetAccessToken(), err
}

// answersTo gives the answers of your user; here any that the questions allow.
func answersTo(questions []*assessment.Question) []*assessment.Answer {
	answers := make([]*assessment.Answer, len(questions))
	for i, question := range questions {
		least, most := question.GetLikertConfig().GetMin(), question.GetLikertConfig().GetMax()
		answers[i] = &assessment.Answer{
			QuestionId: question.GetId(),
			Response: &assessment.AnswerResponse{
				Type:  question.GetType(),
				Value: float64(least + question.GetId()%(most-least+1)),
			},
		}
	}
	return answers
}

func play(ctx context.Context, connection *grpc.ClientConn, token, externalID string) error {
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	service := assessment.NewSessionServiceClient(connection)
	created, err := service.CreateSession(ctx, &assessment.CreateSessionRequest{
		Product: product,
		Subject: &assessment.SubjectReference{ExternalId: proto.String(externalID)},
	})
	if err != nil {
		return err
	}
	answers := answersTo(created.GetHeadless().GetAssessment().GetQuestions())
	half := len(answers) / 2
	// Answers may be recorded as they are given, and again after a failure: repeating a call is safe.
	_, err = service.RecordAnswers(ctx, &assessment.RecordAnswersRequest{
		Product: product, SessionId: created.GetSessionId(), Answers: answers[:half],
	})
	if err != nil {
		return err
	}
	completed, err := service.CompleteSession(ctx, &assessment.CompleteSessionRequest{
		Product: product, SessionId: created.GetSessionId(), Answers: answers[half:],
		// Completing is final: this refuses rather than leave a question out.
		RequireAnswered: true,
	})
	if err != nil {
		return err
	}
	mostWanted := completed.GetResults().GetValues()[0].GetValueId()
	fmt.Printf("session %s: %d questions, most wanted value %d\n", completed.GetSessionId(), len(answers), mostWanted)
	return nil
}

func run() error {
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	address := os.Getenv("PAS_GRPC")
	if address == "" {
		address = "127.0.0.1:50051"
	}
	connection, err := grpc.DialContext(ctx, address, grpc.WithInsecure())
	if err != nil {
		return err
	}
	defer connection.Close()
	token, err := tokenOf(ctx, connection, os.Getenv("PAS_CLIENT_ID"), os.Getenv("PAS_CLIENT_SECRET"))
	if err != nil {
		return err
	}
	return play(ctx, connection, token, "user-1")
}

func main() {
	if err := run(); err != nil {
		refusal := status.Convert(err)
		fmt.Fprintf(os.Stderr, "%s: %s\n", refusal.Code(), refusal.Message())
		os.Exit(1)
	}
}
